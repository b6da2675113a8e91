import { afterEach, beforeEach, describe, expect, it } from './test-runner.js';
import type { AccountId, ApiKeyId, Change, ChangeListener, ChangeNotifications, PlanId } from '@tollgate/core';
import { until } from '../programs/until.js';

/** A channel that receives messages only after it is started. */
interface StartableChannel extends ChangeNotifications {
  start(): Promise<void> | void;
  stop(): Promise<void>;
}

/** One store, with a channel for each process that a test starts. */
interface ChangesSubject {
  /** Opens the channel of a further process. */
  open(): Promise<StartableChannel>;
  /** Sends a message that no version of the program sends. */
  sendRaw(message: string): Promise<void>;
  /** Breaks the connections of all channels. The channels then reconnect by themselves. */
  breakConnections(): Promise<void>;
  close?(): Promise<void>;
}

const CHANGES: readonly Change[] = [
  { kind: 'key', id: 'key_1' as ApiKeyId },
  { kind: 'account', id: 'acct_with:colon' as AccountId },
  { kind: 'plan', id: 'pro' as PlanId },
  { kind: 'platform', id: null },
];
const PLATFORM: Change = { kind: 'platform', id: null };
const MISUNDERSTOOD = ['weather:sunny', 'key:', '', 'account'];

/** Records received changes in order. */
class HeardChanges implements ChangeListener {
  readonly heard: (Change | 'disconnected' | 'missed')[] = [];

  changed(change: Change): void {
    this.heard.push(change);
  }

  disconnected(): void {
    this.heard.push('disconnected');
  }

  missed(): void {
    this.heard.push('missed');
  }
}

interface Member {
  readonly channel: ChangeNotifications;
  readonly listener: HeardChanges;
}

export function changeNotificationsContract(name: string, make: () => Promise<ChangesSubject>): void {
  describe(`ChangeNotifications contract: ${name}`, () => {
    let subject: ChangesSubject;
    const channels: StartableChannel[] = [];

    async function open(): Promise<StartableChannel> {
      const channel = await subject.open();
      channels.push(channel);
      return channel;
    }

    /** Starts a process that records every change from now on. */
    async function join(): Promise<Member> {
      const [channel, listener] = [await open(), new HeardChanges()];
      channel.subscribe(listener);
      await channel.start();
      await until(() => listener.heard.includes('missed'));
      listener.heard.splice(0);
      return { channel, listener };
    }

    beforeEach(async () => {
      subject = await make();
    });

    afterEach(async () => {
      await Promise.all(channels.splice(0).map((channel) => channel.stop()));
      await subject.close?.();
    });

    it('notifies every process, including the publisher, of every change, in order and within a second', async () => {
      const members = [await join(), await join(), await join()] as const;
      const startedAt = performance.now();
      for (const change of CHANGES) await members[0].channel.publish(change);
      await until(() => members.every(({ listener }) => listener.heard.length === CHANGES.length));
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      for (const { listener } of members) expect(listener.heard).toEqual(CHANGES);
    });

    it('tells a listener added before the start that there is no connection, then that changes may be missing', async () => {
      const [channel, listener] = [await open(), new HeardChanges()];
      channel.subscribe(listener);
      expect(listener.heard).toEqual(['disconnected']);
      await channel.start();
      await until(() => listener.heard.length > 1);
      expect(listener.heard).toEqual(['disconnected', 'missed']);
    });

    it('does not notify a new listener of earlier changes', async () => {
      const { channel, listener } = await join();
      await channel.publish(PLATFORM);
      await until(() => listener.heard.length === 1);
      const late = new HeardChanges();
      channel.subscribe(late);
      expect(late.heard).toEqual([]);
    });

    it('no longer notifies a removed listener, and continues to notify the others', async () => {
      const { channel, listener } = await join();
      const second = new HeardChanges();
      const leave = channel.subscribe(second);
      leave();
      leave();
      await channel.publish(PLATFORM);
      await until(() => listener.heard.length === 1);
      expect(second.heard).toEqual([]);
    });

    it('makes listeners reload everything after an unknown message', async () => {
      const { listener } = await join();
      for (const message of MISUNDERSTOOD) await subject.sendRaw(message);
      await until(() => listener.heard.length === MISUNDERSTOOD.length);
      expect(listener.heard).toEqual(MISUNDERSTOOD.map(() => 'missed'));
    });

    it('tells listeners that the connection is lost and, once it is back, that changes may be missing', async () => {
      const members = [await join(), await join()] as const;
      await subject.breakConnections();
      await until(() => members.every(({ listener }) => listener.heard.includes('missed')));
      await members[0].channel.publish(PLATFORM);
      await until(() => members.every(({ listener }) => listener.heard.length === 3));
      for (const { listener } of members) expect(listener.heard).toEqual(['disconnected', 'missed', PLATFORM]);
    });
  });
}
