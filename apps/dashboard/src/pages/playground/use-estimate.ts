import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call, type Reply } from '../../api/call';
import { bodyOf } from '../../components/snippets/request';
import { requestOf, type Settings, type Turn } from './conversation';

const AFTER_TYPING = 400;

/** What sending would take; `undefined` while nothing is written, and where the request is refused. */
export function useEstimate(settings: Settings, turns: readonly Turn[], enabled: boolean): Reply<'countPlayground'> | undefined {
  const [body] = useDebouncedValue(JSON.stringify(bodyOf(requestOf(settings, turns, ''))), AFTER_TYPING);
  const { data } = useQuery({
    queryKey: ['estimate', settings.format, body], enabled: enabled && settings.model !== '', placeholderData: keepPreviousData, retry: false,
    queryFn: ({ signal }) => call('countPlayground', { query: { format: settings.format }, body: JSON.parse(body) as Record<string, unknown> }, signal),
  });
  return enabled ? data : undefined;
}
