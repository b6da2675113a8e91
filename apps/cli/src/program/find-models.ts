import { GatewayError, type ModelSlug, resolveKeyModels } from '@tollgate/core';
import { CommandFailure, misuse } from './command-failure.js';
import type { OperatorSession } from './operator-session.js';

/** Models by slug or alias, as an option names them. */
export type ModelNames = readonly string[] | 'all';

/** `all`, or names separated by commas. */
export function modelNamesValue(text: string): ModelNames {
  if (text === 'all') return text;
  return text.split(',').map((name) => name.trim()).filter((name) => name !== '');
}

/** The models with these names; `null` for all. Throws a misuse for an unknown name. */
export async function findModels({ modelsOnOffer }: OperatorSession, names: ModelNames): Promise<ReadonlySet<ModelSlug> | null> {
  if (names === 'all') return null;
  const catalogue = await modelsOnOffer().catch((cause: unknown) => {
    throw new CommandFailure(`cannot look up these models: ${cause instanceof Error ? cause.message : String(cause)}. Check UPSTREAM_BASE_URL`);
  });
  try {
    return resolveKeyModels(names, catalogue);
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    throw misuse(`option '--models <list>': ${thrown.message} \`tollgate models list\` shows the models on offer.`);
  }
}
