export * from './fault-plan.js';
