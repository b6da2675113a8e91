import type { GenerationRequest } from '@tollgate/core';
import type { Fields } from './decode-fields.js';

/** True if the value of a field asks for something. */
type Asks = (value: unknown) => boolean;

const isGiven: Asks = (value) => value !== undefined && value !== null && value !== false;

/** False for lists and objects that contain nothing but empty ones. */
const isFilled: Asks = (value) => isGiven(value) && (typeof value !== 'object' || Object.values(value as object).some(isFilled));

/** The vendor's default. */
const DEFAULT_VERBOSITY = 'medium';
const isUnusualVerbosity: Asks = (value) => isGiven(value) && value !== DEFAULT_VERBOSITY;
const asksBesidesText: Asks = (value) => Array.isArray(value) && value.some((modality) => modality !== 'text');

/** Fields, in any format, that would change what the model does, and that no upstream is sent. */
export const UNSENT_SETTINGS: ReadonlyMap<string, Asks> = new Map([
  ['audio', isFilled],
  ['compaction', isFilled],
  ['container', isFilled],
  ['context_management', isFilled],
  ['logit_bias', isFilled],
  ['mcp_servers', isFilled],
  ['modalities', asksBesidesText],
  ['output_config.task_budget', isFilled],
  ['seed', isGiven],
  ['text.verbosity', isUnusualVerbosity],
  ['top_k', isGiven],
  ['verbosity', isUnusualVerbosity],
  // Even an empty object turns the search on.
  ['web_search_options', isGiven],
]);

const SETTINGS = [...UNSENT_SETTINGS].map(([name, asks]) => ({ name, path: name.split('.'), asks }));

function valueAt(values: Fields['values'], path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Fields['values'])[key] : undefined), values);
}

/** The field `omitted` of a request: what the client asks for and no upstream is sent, and `tools` if some tools are left out. Absent if there is nothing. */
export function omittedSettings({ values }: Fields, hasServerTools = false): Pick<GenerationRequest, 'omitted'> {
  const unsent = SETTINGS.filter(({ path, asks }) => asks(valueAt(values, path))).map(({ name }) => name);
  const omitted = hasServerTools ? ['tools', ...unsent] : unsent;
  return omitted.length === 0 ? {} : { omitted };
}
