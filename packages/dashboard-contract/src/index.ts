export { type Access, type BodyOf, defineRoute, type GenerationBody, type ParamsOf, type ProducedType, type QueryOf, type ReplyOf, type RequestBodyOf, type RequestQueryOf, type RouteDefinition, type RouteMethod, type SuccessStatus } from './route-contract.js';
export { type ApiFacts, contract, describeApi, type OpenApiDocument } from './contract.js';
export { liveAlert, liveEvents, liveSecond, liveTick } from './routes/operation-routes.js';
