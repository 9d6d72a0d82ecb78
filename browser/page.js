// The page: buttons become command lines of refclass, which a worker runs in Pyodide.

const worker = new Worker('worker.js', {type: 'module'});
const element = (id) => document.getElementById(id);
const state = element('state');
let out = null;
let waiting = null;

element('problem').value = JSON.stringify({
  method: 'svc', parameters: {C: 1}, arithmetic: 'exact',
  x: [[0, 0], [1, 0], [0, 2], [2, 2]], y: [-1, -1, 1, 1], query: [[1, 1]],
}, null, 1);

worker.onmessage = ({data}) => {
  if (data.kind === 'ready') {
    for (const name of data.methods) element('method').add(new Option(name));
    element('method').value = 'lda';
    element('rows').value = data.example;
    state.textContent = `Ready: ${data.version}.`;
    document.body.dataset.ready = 'yes';
    buttons(false);
  } else if (data.kind === 'line') {
    out.textContent += data.text + '\n';
    out.scrollTop = out.scrollHeight;
  } else if (data.kind === 'done') {
    state.textContent = `Done in ${data.seconds.toFixed(1)} s, status ${data.status}.`;
    if (data.answer) element('answer').value = data.answer;
    if (out.closest('#oracle')) out.scrollTop = 0;
    buttons(false);
    if (waiting) waiting(data);
  } else if (data.kind === 'failed') {
    state.textContent = data.text;
    if (waiting) waiting(data);
  }
};

function buttons(disabled) {
  for (const button of document.querySelectorAll('button')) button.disabled = disabled;
}
buttons(true);

function words(text) {
  return text.trim() ? text.trim().split(/\s+/) : [];
}

function asked(name) {
  if (name === 'tour') return {argv: ['tour'], files: {}};
  if (name === 'solve') return {argv: ['solve', 'problem.json'], files: {'problem.json': element('problem').value}};
  if (name === 'verify') {
    const files = {'problem.json': element('problem').value, 'answer.json': element('answer').value};
    return {argv: ['verify', 'problem.json', 'answer.json'], files};
  }
  const argv = [name, element('method').value, '--data', 'table.csv', '--target', element('target').value];
  argv.push('--delimiter', element('delimiter').value || ',');
  if (words(element('set').value).length) argv.push('--set', ...words(element('set').value));
  if (element('standardize').checked) argv.push('--standardize');
  if (name === 'grid') argv.push('--grid', ...words(element('grid').value));
  return {argv, files: {'table.csv': element('rows').value}};
}

function run(name, button) {
  out = button.closest('fieldset').querySelector('pre');
  out.textContent = '';
  state.textContent = 'Computing …';
  buttons(true);
  worker.postMessage({...asked(name), name});
  return new Promise((resolve) => { waiting = resolve; });
}

for (const button of document.querySelectorAll('button[data-run]')) {
  button.onclick = () => run(button.dataset.run, button);
}
element('file').onchange = async ({target}) => {
  if (target.files[0]) element('rows').value = await target.files[0].text();
};
