import { useEffect } from 'react';
import { useEnter } from '../../session/use-enter';

/** Leaves the sign-in of a person who has nothing left to do there. */
export function Onward({ to }: { readonly to: string | undefined }) {
  const enter = useEnter();
  useEffect(() => enter('full', to));
  return null;
}
