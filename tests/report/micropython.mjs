// Run an exported file in MicroPython's WebAssembly build: node micropython.mjs PACKAGE FILE ROWS prints what it predicts.

import fs from 'node:fs';
import {pathToFileURL} from 'node:url';

const [place, file, rows] = process.argv.slice(2);
const {loadMicroPython} = await import(pathToFileURL(`${place}/micropython.mjs`).href);
const lines = [];
const python = await loadMicroPython({linebuffer: true, heapsize: 8000000, stdout: (line) => lines.push(line)});
python.runPython(fs.readFileSync(file, 'utf8').replace('__name__ == "__main__"', 'False'));
const given = fs.readFileSync(rows, 'utf8').trim().split('\n').map((line) => line.split(','));
python.runPython(`ROWS = ${JSON.stringify(given)}`);
python.runPython(`import struct
for row in ROWS:
    row = [float(cell) for cell in row]
    print(*["".join("%02x" % octet for octet in struct.pack(">d", float(v))) for v in scores(row)])`);
console.log(lines.join('\n').trim());
