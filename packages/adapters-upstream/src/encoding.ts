import type { AssistantTurn, JsonDocument, JsonObject, TextBlock, Turn, UserTurn } from '@tollgate/core';
import { type JsonPieces, JsonText, type Printable } from '@tollgate/json-text';
import type { SystemTurnStyle } from './upstream-definition.js';

/** Makes one turn of neighbours of the same role, since some servers take only turns that alternate. Contents keep their order. */
export function mergeTurns(turns: readonly Turn[], systemTurns: SystemTurnStyle): readonly Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const next = turn.role === 'system' && systemTurns === 'as-user' ? { role: 'user' as const, content: turn.content } : turn;
    const last = merged.at(-1);
    if (last?.role === 'user' && next.role === 'user') merged[merged.length - 1] = mergeUsers(last, next);
    else if (last?.role === 'assistant' && next.role === 'assistant') merged[merged.length - 1] = mergeAssistants(last, next);
    else merged.push(next);
  }
  return merged;
}

function mergeUsers(first: UserTurn, second: UserTurn): UserTurn {
  return { role: 'user', content: [...first.content, ...second.content] };
}

function mergeAssistants(first: AssistantTurn, second: AssistantTurn): AssistantTurn {
  return { role: 'assistant', content: [...first.content, ...second.content] };
}

/** Blocks of one message are paragraphs of it. */
export function joinTexts(blocks: readonly TextBlock[]): string {
  return blocks.length === 1 ? blocks[0]?.text ?? '' : blocks.map(({ text }) => text).filter((text) => text !== '').join('\n\n');
}

/** A tool's schema as it was written. Servers want to read that it is an object's, so that is said in front where it is not said. */
export function objectSchema({ value, text }: JsonDocument): JsonText {
  if (value['type'] !== undefined) return new JsonText(text);
  return new JsonText(Object.keys(value).length === 0 ? '{"type":"object"}' : `{"type":"object",${text.slice(1)}`);
}

type BodyFields = Readonly<Record<string, Printable | JsonPieces | undefined>>;

/** Adds an operator's own fields to a request; a field that the gateway writes wins. */
export function withExtraBody(fields: BodyFields, extra: JsonObject | null): BodyFields {
  if (extra === null) return fields;
  const written = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...extra, ...Object.fromEntries(written) };
}
