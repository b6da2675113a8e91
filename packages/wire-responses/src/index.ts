export type { ResponsesEcho } from './echo.js';
export { upstreamToolName } from './tool-names.js';
