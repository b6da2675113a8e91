export { type Access, type BodyOf, defineRoute, type GenerationBody, type ParamsOf, type ProducedType, type QueryOf, type ReplyOf, type RequestBodyOf, type RequestQueryOf, type RouteDefinition, type RouteMethod, type RouteParts, type SuccessStatus } from './definition/route-contract.js';
export { type ApiFacts, describeApi, type OpenApiDocument } from './describe-api.js';
export type { OwnersAction } from '@tollgate/core';
export { largestPageOf } from './definition/page-limit.js';
export { contract } from './contract.js';
export { liveAlert, liveEvents, liveSecond, liveTick } from './routes/operation-routes.js';
export { type AdminRoute, defineAdminRoute } from './admin/admin-route.js';
export { adminContract } from './admin/admin-contract.js';
