import { useState } from 'react';
import { useMe } from '../../session/person';
import { type Draft, EMPTY_DRAFT } from './composer';
import type { Turn } from './conversation';
import type { KeptLane, KeptSession } from './kept-session';
import { useKept } from './use-kept';
import { type Lane, useLane } from './use-lane';

/** One conversation, or two that are compared, with the message that is written. */
export interface Playground {
  /** The second one is shown while two models are compared. */
  readonly lanes: readonly [Lane, Lane];
  readonly isComparing: boolean;
  readonly shown: readonly Lane[];
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly isAnswering: boolean;
  readonly send: () => void;
  readonly stop: () => void;
  /** Replaces the text of the person's turn at this index in each conversation, and asks again. */
  readonly edit: (index: number, text: string) => void;
  readonly clear: () => void;
  readonly compareWith: (model: string) => void;
  readonly endComparison: () => void;
}

/** The turns up to the person's turn at this index, which gets the new text. `null` if the turn there is not the person's. */
function edited(turns: readonly Turn[], index: number, text: string): readonly Turn[] | null {
  const turn = turns[index];
  return turn?.role === 'user' ? [...turns.slice(0, index), { ...turn, text }] : null;
}

export function usePlayground(begin: Omit<KeptSession, 'search'>): Playground {
  const { settings: { api_url: baseUrl } } = useMe();
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, text: begin.text });
  const [isComparing, setComparing] = useState(begin.lanes.length > 1);
  const [firstBegin, secondBegin = { ...firstBegin, turns: [] }] = begin.lanes as readonly [KeptLane, KeptLane?];
  const first = useLane({ baseUrl, begin: firstBegin, draft, isActive: true });
  const second = useLane({ baseUrl, begin: secondBegin, draft, isActive: isComparing });
  const shown = isComparing ? [first, second] : [first];
  const isAnswering = shown.some((lane) => lane.isAnswering);
  const forget = useKept({ lanes: shown.map(({ settings, turns }) => ({ settings, turns })), text: draft.text }, isAnswering);
  const sendBy = ({ turns, next, ask }: Lane): Promise<boolean> => {
    if (next === null) return Promise.resolve(true);
    // If only one of two models refuses, the message must stay in the conversation with that model too.
    return ask([...turns, next], isComparing ? [...turns, next] : turns);
  };
  const send = async () => {
    setDraft(EMPTY_DRAFT);
    const answered = await Promise.all(shown.filter(({ canSend }) => canSend).map(sendBy));
    if (!isComparing && answered.includes(false)) setDraft(draft);
  };
  return {
    lanes: [first, second], isComparing, shown, draft, setDraft, isAnswering,
    send: () => void send(),
    stop: () => shown.forEach((lane) => lane.stop()),
    edit: (index, text) => {
      for (const { turns, ask } of shown) {
        const changed = edited(turns, index, text);
        if (changed !== null) void ask(changed, changed);
      }
    },
    clear: () => {
      shown.forEach((lane) => lane.show([]));
      setDraft(EMPTY_DRAFT);
      forget();
    },
    compareWith: (model) => {
      second.show(first.turns);
      second.change({ ...first.settings, model });
      setComparing(true);
    },
    endComparison: () => {
      second.show([]);
      setComparing(false);
    },
  };
}
