import { createContext, lazy, Suspense, useCallback, useContext, useState, type ReactNode } from 'react';
import { hasCode } from '../api/api-error';

/** Repeats the call after a new proof of identity, if the gateway requires one. */
type FreshCall = <Result>(run: () => Promise<Result>) => Promise<Result>;

interface Request {
  readonly onProven: () => void;
  readonly onCancelled: () => void;
}

const FreshProofContext = createContext<FreshCall>((run) => run());

const FreshProofDialog = lazy(async () => ({ default: (await import('./fresh-proof-dialog')).FreshProofDialog }));

/** Provides the proof dialog to all pages. */
export function FreshProof({ children }: { readonly children: ReactNode }) {
  const [request, setRequest] = useState<Request | null>(null);
  const freshCall = useCallback<FreshCall>(async (run) => {
    try {
      return await run();
    } catch (error) {
      if (!hasCode(error, 'fresh_proof_required')) throw error;
      await new Promise<void>((resolve, reject) => {
        setRequest({ onProven: resolve, onCancelled: () => reject(error) });
      }).finally(() => setRequest(null));
      return run();
    }
  }, []);
  return (
    <FreshProofContext value={freshCall}>
      {children}
      {request !== null && <Suspense><FreshProofDialog {...request} /></Suspense>}
    </FreshProofContext>
  );
}

/**
 * `const fresh = useFreshCall(); useMutation({ mutationFn: () => fresh(() => call('disableTotp', { body: {} })) })`. If the person closes the dialog,
 * the call rejects with the gateway's refusal.
 */
export function useFreshCall(): FreshCall {
  return useContext(FreshProofContext);
}
