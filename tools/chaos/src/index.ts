export { runChaos, type ChaosTerminal } from './program/run-chaos.js';
