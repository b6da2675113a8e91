import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { batched } from '../api/batched';
import { call, type Reply } from '../api/call';
import { keyOf } from '../api/use-route';
import { shortId } from '../format/id';
import { isolated } from '../format/isolated';

type Holder = Reply<'nameHolders'>['data'][number];

/** The contract accepts at most this many ids per call. */
const MOST_IDS = 100;
const FRESH_FOR = 300_000;

const read = batched(async (ids) => (await call('nameHolders', { query: { ids: ids.join(',') } })).data, MOST_IDS);

function queryOf(id: string) {
  return { queryKey: [...keyOf('nameHolders'), id], queryFn: () => read(id), staleTime: FRESH_FOR };
}

/** `null` for deleted and unknown accounts and people, and until the gateway has answered. The names of one page are requested together. */
export function useHolder(id: string, isAsked = true): Holder | null {
  return useQuery({ ...queryOf(id), enabled: isAsked }).data ?? null;
}

/** The names that the gateway has returned. The result is shared structurally: it changes only with its contents. */
function found(results: readonly UseQueryResult<Holder | null>[]): readonly Holder[] {
  return results.flatMap(({ data }) => data ?? []);
}

/** Names of accounts as text; a shortened id where `useHolder` returns `null`. */
export function useHolderNames(ids: readonly (string | null | undefined)[]): (id: string) => string {
  const wanted = [...new Set(ids)].filter((id) => id !== null && id !== undefined);
  const holders = useQueries({ queries: wanted.map(queryOf), combine: found });
  return useMemo(() => {
    const names = new Map(holders.map(({ id, name }) => [id, isolated(name)]));
    return (id: string) => names.get(id) ?? shortId(id);
  }, [holders]);
}
