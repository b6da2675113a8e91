export { decodeRequest, type RequestTerms } from './decode-request.js';
export type { ResponsesEcho } from './echo.js';
export type { EncoderPorts } from './encode-response.js';
export { responsesFormat } from './responses-format.js';
export { upstreamToolName } from './tool-names.js';
