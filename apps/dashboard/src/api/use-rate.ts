import { useRoute } from './use-route';

interface Rate {
  /** US dollars for one service token; `undefined` until the account is read, and if that failed. */
  readonly rate: string | undefined;
  readonly isRead: boolean;
}

export function useRate(isWanted = true): Rate {
  const { data, isLoading } = useRoute('account', {}, { enabled: isWanted });
  return { rate: data?.balance.usd_per_service_token, isRead: !isLoading };
}
