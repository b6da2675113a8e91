export type { EncoderPorts } from './encode-response.js';
export { responsesFormat } from './responses-format.js';
