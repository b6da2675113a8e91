export { runSiege } from './run-siege.js';
