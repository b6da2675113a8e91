export { type BenchTerminal, runBench } from './run-bench.js';
