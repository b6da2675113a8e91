import type { GenerationEstimates, PlaygroundAccess } from '@tollgate/core';
import type { GenerationHandler } from '../../routes/generation/generation-handler.js';

/** What the routes of the playground work with: the handlers of `/v1`, and the key that they are called by. */
export interface PlaygroundPorts {
  readonly access: PlaygroundAccess;
  readonly chat: GenerationHandler;
  readonly messages: GenerationHandler;
  readonly estimates: GenerationEstimates;
}
