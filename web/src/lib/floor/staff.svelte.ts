/** The member of the staff who is logged in to the floor in this browser, and what they may do. */
import type { Staffer } from "../../generated/server";
import { ApiError } from "../net/api";
import { complaint } from "../text/format";
import { acts } from "./acts.svelte";
import { floor } from "./api";

/** The refusals that mean that nobody is logged in any more. */
const LOGGED_OUT = new Set(["floor.only", "login.needed"]);

class Staff {
  /** Whether the server has answered who is logged in. */
  known = $state(false);
  hasOwner = $state(true);
  member = $state.raw<Staffer | null>(null);
  wrong = $state("");
  /** Who was logged in last: what they were about to do is not for others to confirm. */
  #last = "";

  async look() {
    try {
      const session = await floor.session();
      this.hasOwner = session.has_owner;
      this.member = session.member;
      this.#last = session.member?.name ?? this.#last;
      this.known = true;
      this.wrong = "";
    } catch (error) {
      this.wrong = complaint(error);
    }
  }

  be(member: Staffer) {
    if (member.name !== this.#last) acts.now = null;
    this.#last = member.name;
    this.member = member;
    this.hasOwner = true;
  }

  async logOut() {
    await floor.logOut();
    this.member = null;
  }

  /** Whether the member's role has a permission, such as `open_table`; the server checks it again. */
  may(permission: string): boolean {
    return this.member?.permissions.includes(permission.replaceAll("_", " ")) ?? false;
  }

  get isOwner() {
    return this.member?.role === "owner";
  }

  /** What is wrong, as a sentence; anyone whose session has ended sees the form to log in. */
  explain(error: unknown): string {
    if (error instanceof ApiError && LOGGED_OUT.has(error.code)) this.member = null;
    return complaint(error);
  }
}

export const staff = new Staff();
