export { type ChaosTerminal, runChaos } from './run-chaos.js';
