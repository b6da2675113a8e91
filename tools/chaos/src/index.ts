export { runChaos } from './run-chaos.js';
