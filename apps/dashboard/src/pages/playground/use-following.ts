import { useLayoutEffect, useRef } from 'react';

const NEAR_THE_END = 40;

/** Scrolls to the end, until the reader scrolls up. A new message starts the scrolling again. */
export function useFollowing(messages: number) {
  const log = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const scrolledTo = useRef(0);
  const before = useRef(messages);
  // Runs before the browser fires `scroll`. If the conversation gets shorter, for example because thinking collapses, the browser scrolls up. Without
  // this effect, `onScroll` would take that for scrolling by the reader.
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return;
    following.current ||= messages > before.current;
    before.current = messages;
    if (following.current) element.scrollTop = element.scrollHeight;
    scrolledTo.current = element.scrollTop;
  });
  const onScroll = () => {
    const element = log.current;
    if (element === null) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_THE_END;
    // A growing reply scrolls nothing: a lower position means that the reader scrolled up.
    if (isAtEnd) following.current = true;
    else if (element.scrollTop < scrolledTo.current) following.current = false;
    scrolledTo.current = element.scrollTop;
  };
  return { log, onScroll };
}
