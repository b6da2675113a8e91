import type { AccountId, JsonObject, ReasoningSeal, ThinkingBlock } from '@tollgate/core';
import type { Fields } from '@tollgate/wire-kit';

/** What `encrypted_content` holds as JSON. */
export interface SealedReasoning {
  readonly model: string;
  readonly text: string;
  readonly signature: string | null;
}

/** Opens what was sealed for the same account; `null` for anything else. */
export function openReasoning(seal: ReasoningSeal, accountId: AccountId, sealed: string): SealedReasoning | null {
  const opened = seal.open(accountId, sealed);
  if (opened === null) return null;
  const { model, text, signature } = objectOf(opened);
  if (typeof model !== 'string' || typeof text !== 'string') return null;
  return { model, text, signature: typeof signature === 'string' ? signature : null };
}

function objectOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value as JsonObject : {};
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return {};
  }
}

/** The texts of a list of parts. Reasoning moves between providers, so what cannot be read is left out rather than refused. */
function textIn(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  const texts = (parts as readonly unknown[]).map((part) =>
    (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : ''));
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Reads what was sealed; `null` for what cannot be read. */
export type OpenSeal = (sealed: string) => SealedReasoning | null;

/** The thinking in a reasoning item: as it was sealed, else what it shows; `null` for an item that says nothing. */
export function thinkingIn({ values }: Fields, open: OpenSeal): ThinkingBlock | null {
  const { encrypted_content: sealed, summary, content } = values;
  const opened = typeof sealed === 'string' && sealed !== '' ? open(sealed) : null;
  if (opened !== null) {
    const { text, signature, model } = opened;
    return text === '' && signature === null ? null : { type: 'thinking', text, signature, signedBy: model };
  }
  const shown = textIn(summary);
  const text = shown === '' ? textIn(content) : shown;
  return text === '' ? null : { type: 'thinking', text, signature: null };
}
