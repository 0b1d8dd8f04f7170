import { announcer } from "./announce.svelte";

/** What has no answer after so long, in milliseconds, is told to be on its way. */
const LATE = 400;

/** Tells what was pressed and takes its time: where the connection is gone it is heard when it is back. */
export class OnItsWay {
  late = $state("");

  async follow(what: string, asked: Promise<boolean>): Promise<boolean> {
    const timer = setTimeout(
      () => announcer.tell((this.late = `${what} is on its way to the room.`)),
      LATE,
    );
    const done = await asked;
    clearTimeout(timer);
    this.late = "";
    return done;
  }
}
