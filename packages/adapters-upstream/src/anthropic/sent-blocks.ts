import { isBlank, type TextBlock, type ThinkingBlock, type Turn } from '@tollgate/core';
import { JsonText, printObject, type TextPrinter } from '@tollgate/json-text';
import type { AnthropicOptions, SystemTurnStyle } from '../upstream-definition.js';

export interface TurnTerms {
  /** Which thinking goes back to the model that made it. */
  readonly thinking: AnthropicOptions['reasoningReplay'];
  readonly systemTurns: SystemTurnStyle;
  readonly texts: TextPrinter;
}

export function isSentThinking({ signature }: ThinkingBlock, { thinking }: TurnTerms): boolean {
  return thinking === 'sent' || (thinking === 'signed' && signature !== null);
}

/** A text as a block of its own. */
export function encodeText({ text }: Pick<TextBlock, 'text'>, { texts }: TurnTerms): JsonText {
  return printObject({ type: 'text', text: new JsonText(texts.print(text)) });
}

/** Servers refuse text blocks with nothing in them. */
export function isSentText({ text }: TextBlock): boolean {
  return !isBlank(text);
}

/** A user's turn always counts, to keep the others apart. Thinking alone is no turn: without what it led to it says nothing to anybody. */
export function isSentTurn({ role, content }: Turn): boolean {
  return role === 'user' || content.some((block) => block.type === 'tool-call' || (block.type === 'text' && isSentText(block)));
}
