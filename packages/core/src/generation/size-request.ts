import type { ModelAccess } from '../models/model-access.js';
import type { GenerationRequest } from './generation-request.js';

export interface SizedRequest {
  readonly request: GenerationRequest;
  readonly access: ModelAccess;
}
