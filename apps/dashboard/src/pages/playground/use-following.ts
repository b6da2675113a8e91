import { useLayoutEffect, useRef } from 'react';

const NEAR_THE_END = 40;

/** Scrolls to the end until the reader scrolls up; `follow` resumes. */
export function useFollowing() {
  const log = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const scrolledTo = useRef(0);
  // Before the browser tells of a scroll: a conversation that became shorter, as when its thinking closes, moves up by itself, and
  // by the time that is told the next piece has pushed the end away. It would look like a reader who goes up.
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return;
    if (following.current) element.scrollTop = element.scrollHeight;
    scrolledTo.current = element.scrollTop;
  });
  const onScroll = () => {
    const element = log.current;
    if (element === null) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_THE_END;
    // A reply that grows leaves the end behind too; only the reader goes up.
    if (isAtEnd) following.current = true;
    else if (element.scrollTop < scrolledTo.current) following.current = false;
    scrolledTo.current = element.scrollTop;
  };
  const follow = () => {
    following.current = true;
  };
  return { log, onScroll, follow };
}
