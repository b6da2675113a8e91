export { Child, type ChildOptions } from './child.js';
export {
  type CommandLine, createAccount, createKey, createMachine, createOperator, createDatabase, createWebhook, differencesInLedger, gatewayProgram, hasCommand, READY, type StartedGateway, startGateway,
} from './gateway.js';
export { type DeliveryFate, FlakyEndpoint, type ReceivedDelivery } from './flaky-endpoint.js';
export { type DurationSummary, Durations, medianOf, percentileOf, renderTable, type Spread, spreadOf } from './statistics.js';
export { CACHE, makeWorkingFolder, type OptionsReading, readingOf, ROOT, runTool, type Terminal, textOf } from './tool.js';
export { Shop, SHOP_SCOPES, type ShopBooks, type ShopOptions } from './shop.js';
export { wholeNumber } from './whole-number.js';
