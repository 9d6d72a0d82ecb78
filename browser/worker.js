// The worker: Pyodide with the package from refclass.zip; every file it loads lies beside this one.

import {loadPyodide} from './pyodide/pyodide.mjs';

const START = `
import io, json, sys, time
sys.path.insert(0, '/home/pyodide/refclass.zip')
import refclass
from refclass.__main__ import main
from refclass.oracle.table import EMBEDDED
from importlib import resources


def run(argv, files):
    for name, text in files.items():
        with open(name, 'w', encoding='utf-8', newline='') as stream:
            stream.write(text)
    begun = time.monotonic()
    try:
        status = main(argv)
    except SystemExit as leaving:
        status = leaving.code
    sys.stdout.flush(), sys.stderr.flush()
    return json.dumps([status, time.monotonic() - begun])


methods = json.dumps([m['method'] for m in refclass.methods() if m['method'] not in ('bayes', 'svm_path')])
example = resources.files('refclass').joinpath('data/iris.csv').read_text(encoding='utf-8')
version = f'refclass {refclass.__version__} on Python {sys.version.split()[0]}'
`;

let python = null;
let lines = [];

function reported(text) {
  lines.push(text);
  postMessage({kind: 'line', text});
}

try {
  python = await loadPyodide({indexURL: new URL('./pyodide/', import.meta.url).href});
  python.setStdout({batched: reported});
  python.setStderr({batched: reported});
  const archive = await (await fetch('refclass.zip')).arrayBuffer();
  python.FS.writeFile('/home/pyodide/refclass.zip', new Uint8Array(archive));
  python.runPython(START);
  const read = (name) => python.globals.get(name);
  postMessage({kind: 'ready', methods: JSON.parse(read('methods')), example: read('example'), version: read('version')});
} catch (error) {
  postMessage({kind: 'failed', text: `Python could not be started: ${error}`});
}

onmessage = ({data}) => {
  lines = [];
  try {
    const said = python.globals.get('run')(python.toPy(data.argv), python.toPy(data.files));
    const [status, seconds] = JSON.parse(said);
    const answer = data.name === 'solve' && status === 0 ? lines.join('\n') : null;
    postMessage({kind: 'done', status, seconds, answer});
  } catch (error) {
    reported(String(error));
    postMessage({kind: 'done', status: 1, seconds: 0, answer: null});
  }
};
