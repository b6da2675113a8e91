import { useRoute } from './use-route';

/** US dollars for one service token; `undefined` while it is read. */
export function useRate(isWanted = true): string | undefined {
  return useRoute('account', {}, { enabled: isWanted }).data?.balance.usd_per_service_token;
}
