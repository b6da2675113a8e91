import type { AssistantTurn, Conversation, Turn, UserTurn } from '@tollgate/core';
import { JsonText, printList, printObject } from '@tollgate/json-text';
import { joinTexts } from '../encoding/join-texts.js';
import { mergeTurns } from '../encoding/merge-turns.js';
import { encodeAssistantTurn } from './encode-assistant-turn.js';
import { encodeUserTurn } from './encode-user-turn.js';
import { isSentTurn, type TurnTerms } from './sent-blocks.js';

/** What a conversation begins with that the model began: the format lets users begin. */
const SILENT_START: UserTurn = { role: 'user', content: [] };

/** The turns as messages: a user's first, none empty, no two of one role in a row, and every tool call directly followed by its results. */
export function encodeTurns({ turns }: Conversation, terms: TurnTerms): JsonText {
  const kept = turns.filter(isSentTurn);
  const placed = terms.systemTurns === 'in-place' ? behindResults(kept) : kept;
  const merged = mergeTurns(placed, terms.systemTurns);
  const told = merged[0]?.role === 'user' ? merged : [SILENT_START, ...merged];
  return printList(told.map((turn) => encodeTurn(turn, terms)));
}

function encodeTurn(turn: Turn, terms: TurnTerms): JsonText {
  switch (turn.role) {
    case 'user': return encodeUserTurn(turn, terms);
    case 'assistant': return encodeAssistantTurn(turn, terms);
    case 'system': return printObject({ role: 'system', content: new JsonText(terms.texts.print(joinTexts(turn.content))) });
  }
}

/** Instructions that would come between a call and its results come after them. */
function behindResults(turns: readonly Turn[]): readonly Turn[] {
  const placed: Turn[] = [];
  let waiting: Turn[] = [];
  let awaitsResults = false;
  for (const turn of turns) {
    if (turn.role === 'system' && awaitsResults) {
      waiting.push(turn);
      continue;
    }
    // Where no results come, the instructions were in their place.
    placed.push(...(bringsResults(turn) ? [turn, ...waiting] : [...waiting, turn]));
    waiting = [];
    awaitsResults = turn.role === 'assistant' && callsTools(turn);
  }
  return [...placed, ...waiting];
}

function bringsResults({ content }: Turn): boolean {
  return content.some((block) => block.type === 'tool-result');
}

function callsTools({ content }: AssistantTurn): boolean {
  return content.some((block) => block.type === 'tool-call');
}
