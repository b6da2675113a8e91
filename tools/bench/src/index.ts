export { runBench } from './run-bench.js';
