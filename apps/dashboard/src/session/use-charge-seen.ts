import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { noteStep } from './first-steps';
import { useMe } from './person';

export function useChargeSeen(): void {
  const { account: { id } } = useMe();
  const shows = useLocation({ select: ({ pathname, search }) => /^(?:\/dashboard)?\/usage\/./.test(pathname) || (pathname.endsWith('/usage') && 'record' in search) });
  useEffect(() => {
    if (shows) noteStep(id, 'charge-seen');
  }, [id, shows]);
}
