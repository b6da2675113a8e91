/** The gateway that a check talks to. */
export interface World {
  /** As in `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Of the check's own; empty. */
  readonly folder: string;
}

/** What is installed for checks, once for all that need it. */
export interface Peer {
  readonly id: string;
  /** Its megabytes on disk, roughly, to tell before installing. */
  readonly megabytes: number;
  /** Installs into a folder and resolves once it can be run. Does nothing when it is there already. */
  readonly install: (folder: string) => Promise<void>;
}

/** One thing to try. `Situation` is what its kind of check is given. */
export interface Check<Situation extends World = World> {
  readonly title: string;
  readonly peer: Peer;
  /** Resolves with what was seen; rejects with what was wrong. `peerFolder` is where the peer was installed. */
  readonly run: (world: Situation, peerFolder: string) => Promise<string>;
}

/** Throws what was expected and what was seen, unless a condition holds. */
export function expectThat(holds: boolean, expected: string, seen: string): void {
  if (!holds) throw new Error(`expected ${expected}; saw ${seen}`);
}
