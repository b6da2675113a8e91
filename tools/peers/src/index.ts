export { runChecks } from './checks.js';
