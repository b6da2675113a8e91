import { useState } from 'react';
import type { Reply } from '../../api/call';
import { type Draft, turnOf } from './composer';
import type { ModelTurn, Settings, Turn, UserTurn } from './conversation';
import type { KeptLane } from './kept-session';
import { settingsProblems } from './settings-panel';
import { type Conversation, useConversation } from './use-conversation';
import { useEndedCharge } from './use-ended-charge';
import { countableOf, useEstimate, usePromptTokens } from './use-estimate';
import { useWait } from './use-wait';

/** A conversation with one model: alone, or one of two that are compared. */
export interface Lane extends Pick<Conversation, 'turns' | 'isAnswering' | 'refusal' | 'stop' | 'show'> {
  readonly settings: Settings;
  readonly isValid: boolean;
  readonly change: (change: Partial<Settings>) => void;
  /** The last reply, running or ended; `undefined` before the first reply, and between a request and its reply. */
  readonly current: ModelTurn | undefined;
  /** Calls of the last reply, whose results are to be sent. */
  readonly calls: ModelTurn['reply']['toolCalls'];
  /** The turn to send; `null` while there is none. */
  readonly next: UserTurn | null;
  readonly estimate: Reply<'countPlayground'> | undefined;
  /** Prompt tokens of the last request, or of the one being written. */
  readonly promptTokens: number | undefined;
  readonly ended: Reply<'readUsage'> | undefined;
  /** Seconds until the rate limit resets; 0 if requests are possible. */
  readonly wait: number;
  readonly canSend: boolean;
  /** Asks for a reply to the turns. If the request is refused, shows `ifRefused` and resolves with false. */
  readonly ask: (turns: readonly Turn[], ifRefused: readonly Turn[]) => Promise<boolean>;
}

export function useLane({ baseUrl, begin, draft, isActive }: { readonly baseUrl: string; readonly begin: KeptLane; readonly draft: Draft; readonly isActive: boolean }): Lane {
  const conversation = useConversation(baseUrl, begin.turns);
  const [settings, setSettings] = useState(begin.settings);
  const [sent, setSent] = useState<string | null>(null);
  const { turns, isAnswering, refusal, retryAt, stop } = conversation;
  const last = turns.findLast((turn): turn is ModelTurn => turn.role === 'model');
  const endsWithReply = turns.at(-1)?.role === 'model';
  const current = isAnswering && !endsWithReply ? undefined : last;
  const calls = endsWithReply && !isAnswering ? last?.reply.toolCalls ?? [] : [];
  const next = turnOf(draft, calls);
  const isValid = Object.keys(settingsProblems(settings)).length === 0;
  const wait = useWait(retryAt);
  const estimate = useEstimate(isActive && next !== null && isValid && !isAnswering ? countableOf(settings, [...turns, next]) : null);
  const sentTokens = usePromptTokens(sent);
  return {
    settings, isValid, turns, isAnswering, refusal, stop, current, calls, next, estimate, wait,
    promptTokens: sent === null ? estimate?.prompt_tokens : sentTokens,
    ended: useEndedCharge(current),
    canSend: next !== null && isValid && !isAnswering && wait === 0,
    change: (change) => setSettings({ ...settings, ...change }),
    ask: async (asked, ifRefused) => {
      setSent(countableOf(settings, asked));
      const answered = await conversation.ask(asked, settings, ifRefused);
      if (!answered) setSent(sent);
      return answered;
    },
    show: (shown) => {
      conversation.show(shown);
      setSent(null);
    },
  };
}
