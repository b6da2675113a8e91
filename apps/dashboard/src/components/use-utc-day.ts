import { useEffect, useState } from 'react';
import { untilDayEnds, utcDay } from '../format/day';

const MINUTE = 60_000;

/** The running UTC day. It changes in a page that is left open: at midnight, or within a minute after a sleep. */
export function useUtcDay(): string {
  const [day, setDay] = useState(() => utcDay());
  useEffect(() => {
    let timer = 0;
    const lookLater = () => {
      timer = window.setTimeout(() => {
        setDay(utcDay());
        lookLater();
      }, Math.min(untilDayEnds(), MINUTE));
    };
    lookLater();
    return () => window.clearTimeout(timer);
  }, []);
  return day;
}
