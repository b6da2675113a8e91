export { Child, type ChildOptions } from './child.js';
export { createAccount, type NewAccount } from './create-account.js';
export { type StartedGateway, startGateway, type StartOptions } from './start-gateway.js';
