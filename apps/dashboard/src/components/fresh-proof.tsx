import { createContext, lazy, Suspense, useCallback, useContext, useState, type ReactNode } from 'react';
import { hasCode } from '../api/api-error';

/** Runs a call; where it wants a fresh proof, asks for one and repeats it. */
export type FreshCall = <Result>(run: () => Promise<Result>) => Promise<Result>;

/** A proof that is asked for. */
interface Request {
  readonly onProven: () => void;
  readonly onCancelled: () => void;
}

const FreshProofContext = createContext<FreshCall>((run) => run());

const FreshProofDialog = lazy(async () => ({ default: (await import('./fresh-proof-dialog')).FreshProofDialog }));

/** Stands around all pages, and has the one dialog that asks for a proof. */
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
 * `const fresh = useFreshCall(); useMutation({ mutationFn: () => fresh(() => call('disableTotp', { body: {} })) })`.
 * Where its person closes the dialog, the call rejects with the refusal that asked for the proof.
 */
export function useFreshCall(): FreshCall {
  return useContext(FreshProofContext);
}
