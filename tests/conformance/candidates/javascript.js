// Programs in JavaScript as candidates: node javascript.js svm|ml-svm; NODE_PATH names the folder of the packages.
const [program, tolerance] = [process.argv[2], Number(process.argv[3] || 1e-4)];
const pack = require(program);
let seed = 1;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
Math.random = random; // both draw the second multiplier by chance

function answer(given) {
  const p = given.parameters || {}, C = p.C === undefined ? 1 : p.C;
  const k = typeof p.kernel === "object" ? p.kernel : { name: p.kernel || "linear" };
  const classes = [...new Set(given.y)].sort((a, b) => (a < b ? -1 : 1));
  const odd = Object.keys(p).filter((name) => !["C", "kernel"].includes(name));
  if (given.method !== "svc" || odd.length || C === "inf" || given.weights || classes.length !== 2)
    return { unsupported: given.method };
  if (!["linear", "gaussian"].includes(k.name)) return { unsupported: k.name };
  const y = given.y.map((v) => (v === classes[1] ? 1 : -1)), sigma = 1 / Math.sqrt(2 * (k.gamma || 1));
  if (program === "svm") {
    const m = new pack.SVM();
    m.train(given.x, y, { C, tol: tolerance, alphatol: 0, numpasses: 20,
      kernel: k.name === "linear" ? "linear" : "rbf", rbfsigma: sigma });
    if (m.w) return { answer: { arithmetic: "float", fitted: { coef: [Array.from(m.w)], intercept: [m.b] } } };
    const alpha = given.x.map(() => 0); // it keeps the support vectors alone
    m.data.forEach((row, i) => { alpha[given.x.indexOf(row)] = m.alpha[i]; });
    return { answer: { arithmetic: "float", fitted: { alpha, intercept: [m.b] } } };
  }
  const m = new pack({ C, tol: tolerance, random, whitening: false, maxPasses: 20,
    kernel: k.name === "linear" ? "linear" : "rbf", kernelOptions: { sigma } });
  m.train(given.x, y);
  const alpha = given.x.map(() => 0);
  m.supportVectors().forEach((i, k) => { alpha[i] = m.alphas[k]; });
  return { answer: { arithmetic: "float", fitted: { alpha, intercept: [m.b] } } };
}

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  let said;
  try { said = answer(JSON.parse(line)); } catch (error) { said = { refusal: { got: String(error).slice(0, 150) } }; }
  process.stdout.write(JSON.stringify(said) + "\n");
});
