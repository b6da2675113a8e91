export { runBench, type BenchTerminal } from './program/run-bench.js';
