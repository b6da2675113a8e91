import { createServer, type Socket } from 'node:net';
import { announcePort } from '../subjects/pass-throughs.js';
import { planFor, RequestReader, STREAM_OPENING, streamClosing, streamEvent, WHOLE_REPLY } from './replies.js';

/** Events by number. Each is created at its first use, so that sending it later is a single write. */
const events: Buffer[] = [];

function eventAt(sequence: number): Buffer {
  return (events[sequence] ??= streamEvent(sequence));
}

/** Streams the events, one write each, on a timer of this stream. */
function stream(socket: Socket, count: number, intervalMilliseconds: number): void {
  let sent = 0;
  const stop = (): void => {
    clearInterval(timer);
    socket.off('close', stop);
  };
  const timer = setInterval(() => {
    if (sent < count) {
      socket.write(eventAt(sent));
      sent += 1;
      return;
    }
    stop();
    socket.write(streamClosing(count));
  }, intervalMilliseconds);
  socket.once('close', stop);
  socket.write(STREAM_OPENING);
}

function serve(socket: Socket): void {
  socket.setNoDelay(true);
  const reader = new RequestReader((beginning) => {
    const plan = planFor(beginning);
    if (plan.kind === 'whole') socket.write(WHOLE_REPLY);
    else stream(socket, plan.events, plan.intervalMilliseconds);
  });
  socket.on('data', (bytes: Buffer) => reader.push(bytes));
  // The client has disconnected, so there is nothing to answer.
  socket.on('error', () => socket.destroy());
}

announcePort(createServer(serve));
