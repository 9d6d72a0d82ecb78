// Try the built page in headless Chromium: node --experimental-websocket browser/try.mjs DIR [FOLDER for screenshots].
// Every button is pressed once; what the page prints is printed, and requests to other hosts are counted.

import {spawn} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const [folder, shots] = process.argv.slice(2);
const KINDS = {'.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm'};
const server = http.createServer((request, response) => {
  const file = path.join(folder, request.url === '/' ? 'index.html' : new URL(request.url, 'http://x').pathname);
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, {'content-type': KINDS[path.extname(file)] || 'application/octet-stream'});
  return fs.createReadStream(file).pipe(response);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.on('listening', resolve));
const page = `http://127.0.0.1:${server.address().port}/`;

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
const chromium = spawn(process.env.CHROMIUM || 'chromium', [...options, '--window-size=1000,1400', 'about:blank']);
const address = await new Promise((resolve) => {
  chromium.stderr.on('data', (text) => {
    const found = /ws:\/\/\S+/.exec(text);
    if (found) resolve(found[0]);
  });
});
const port = new URL(address).port;
const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()).filter((t) => t.type === 'page');
const socket = new WebSocket(target.webSocketDebuggerUrl);
await new Promise((resolve) => { socket.onopen = resolve; });
const open = new Map();
const elsewhere = [];
let count = 0;
socket.onmessage = ({data}) => {
  const reported = JSON.parse(data);
  if (reported.id) open.get(reported.id)(reported.result);
  if (reported.method === 'Network.requestWillBeSent') {
    const url = reported.params.request.url;
    if (!url.startsWith(page) && !url.startsWith('data:') && !url.startsWith('blob:')) elsewhere.push(url);
  }
  if (reported.method === 'Runtime.exceptionThrown') console.log('EXCEPTION', JSON.stringify(reported.params).slice(0, 400));
};
const call = (method, params = {}) => new Promise((resolve) => {
  count += 1;
  open.set(count, resolve);
  socket.send(JSON.stringify({id: count, method, params}));
});
const value = async (expression) =>
  (await call('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true})).result.value;
const until = async (expression, seconds) => {
  const end = Date.now() + 1000 * seconds;
  while (Date.now() < end) {
    if (await value(expression)) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
};
const shot = async (name) => {
  if (!shots) return;
  const {data} = await call('Page.captureScreenshot', {captureBeyondViewport: true});
  fs.writeFileSync(path.join(shots, `${name}.png`), Buffer.from(data, 'base64'));
};

let status = 0;
await call('Page.enable');
await call('Network.enable');
await call('Runtime.enable');
await call('Page.navigate', {url: page});
if (!(await until("document.body && document.body.dataset.ready === 'yes'", 180))) status = 1;
console.log(await value("document.getElementById('state').textContent"));
await value("document.getElementById('grid').value = 'C=1,10'; 1");
const wanted = {
  tour: 'gap 0 exactly', fit: 'training errors', cv: 'errors:', grid: 'best: ', solve: '"certificate"', verify: '"accepted": true',
};
for (const [name, words] of Object.entries(wanted)) {
  if (name === 'grid') await value("document.getElementById('method').value = 'svc'; 1");
  await value(`document.querySelector('button[data-run=${name}]').click(); 1`);
  const done = await until("document.getElementById('state').textContent.startsWith('Done')", 300);
  const said = await value(`document.querySelector('button[data-run=${name}]').closest('fieldset').querySelector('pre').textContent`);
  const right = done && said.includes(words);
  console.log(`== ${name}: ${right ? 'right' : 'WRONG'}; ${await value("document.getElementById('state').textContent")}`);
  console.log(said.split('\n').slice(-7).join('\n'));
  if (!right) status = 1;
  if (['tour', 'grid', 'verify'].includes(name)) await shot(name);
}
console.log(`requests to other hosts: ${elsewhere.length} ${elsewhere.join(' ')}`);
chromium.kill();
server.close();
process.exit(elsewhere.length ? 1 : status);
