import { QueryCache, QueryClient } from '@tanstack/react-query';
import { hasCode, isApiError } from './api-error';

const FRESH_FOR = 30_000;
const MAX_RETRIES = 2;

/** Retries failures of the gateway and of the connection, at most twice. Never retries refusals. */
function shouldRetry(failures: number, error: Error): boolean {
  const mayPass = isApiError(error) && (error.status === 0 || error.status >= 500);
  return mayPass && failures < MAX_RETRIES;
}

interface SessionRefusals {
  /** Called when a reply says that the session has ended. */
  readonly onSignedOut: () => void;
  /** Called when a reply asks the person to agree to a new version of the terms or the privacy notice. */
  readonly onConsentRequired: () => void;
}

export function createQueryClient({ onSignedOut, onConsentRequired }: SessionRefusals): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (hasCode(error, 'consent_required')) onConsentRequired();
        if (hasCode(error, 'not_signed_in') && query.meta?.['silent'] !== true) onSignedOut();
      },
    }),
    defaultOptions: { queries: { staleTime: FRESH_FOR, retry: shouldRetry }, mutations: { retry: false } },
  });
}
