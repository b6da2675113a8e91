export { runChecks } from './run-checks.js';
