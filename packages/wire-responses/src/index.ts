export { decodeRequest, type RequestTerms } from './decode-request.js';
export type { ResponsesEcho } from './echo.js';
export { upstreamToolName } from './tool-names.js';
