import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, type Reply, type RequestBody } from '../../api/call';
import { bodyOf } from '../../components/snippets/request';
import { requestOf, type Settings, type Turn } from './conversation';
import type { Format } from './reply';

const AFTER_TYPING = 400;

interface Countable {
  readonly format: Format;
  readonly body: RequestBody<'countPlayground'>;
}

/** Request body to count, with its format. */
export function countableOf(settings: Settings, turns: readonly Turn[]): string {
  return JSON.stringify({ format: settings.format, body: bodyOf(requestOf(settings, turns, '')) });
}

function countQuery(countable: string | null) {
  return {
    queryKey: ['estimate', countable], enabled: countable !== null, retry: false,
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const { format, body } = JSON.parse(countable ?? '{}') as Countable;
      return call('countPlayground', { query: { format }, body }, signal);
    },
  };
}

/** Debounced. `undefined` before the first result, and if the count was refused. */
export function useEstimate(countable: string | null): Reply<'countPlayground'> | undefined {
  const [settled] = useDebouncedValue(countable, AFTER_TYPING);
  const { data } = useQuery({ ...countQuery(settled), placeholderData: keepPreviousData });
  return countable === null || settled === null ? undefined : data;
}

export function usePromptTokens(sent: string | null): number | undefined {
  return useQuery(countQuery(sent)).data?.prompt_tokens;
}
