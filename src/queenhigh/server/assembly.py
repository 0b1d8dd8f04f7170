"""Puts the parts of a server together: for a file, or for a room that several processes serve."""

from pathlib import Path

import structlog

from queenhigh.room import clock
from queenhigh.server.accounts import Accounts
from queenhigh.server.admin_store import AdminStore
from queenhigh.server.fee_presets import BUILT_IN, read_presets
from queenhigh.server.followed_tables import FollowedTables, OtherTables
from queenhigh.server.handover import Handover
from queenhigh.server.health import Health
from queenhigh.server.host import Host
from queenhigh.server.metrics import Metrics
from queenhigh.server.options import ServeOptions, host_and_port
from queenhigh.server.peers import Peers
from queenhigh.server.services import Cookie, Services
from queenhigh.server.staff_accounts import StaffAccounts
from queenhigh.server.worker_pool import Workers
from queenhigh.store.location import PostgresUrl
from queenhigh.store.sqlite import SqliteStore

__all__ = ["make_services"]

_log = structlog.get_logger()


def make_services(asked: ServeOptions, port: int, peer_address: str) -> Services:
    """Return the services of a server; nothing runs yet.

    ``peer_address`` is where other processes reach this one, if the room is on PostgreSQL.
    """
    if isinstance(asked.db, PostgresUrl):
        return _make_shared(asked, asked.db, port, peer_address)
    store, metrics = SqliteStore(asked.db), Metrics()
    admin = AdminStore(asked.db, store)
    host = Host(store, admin, metrics, clock=clock.ROOM, bots_think=asked.bots_think, note=_note)
    health, workers = Health(asked.db, store, metrics), Workers(asked.db)
    services = _services(asked, host, health, workers)
    services.staff.changes.all_keep_rule = lambda: True
    return services


def _make_shared(asked: ServeOptions, url: PostgresUrl, port: int, peer_address: str) -> Services:
    """Return the services of a process that serves a room together with others."""
    from queenhigh.server.membership import LEASE, Membership  # noqa: PLC0415 (an extra)
    from queenhigh.store.postgres.leases import Leases  # noqa: PLC0415
    from queenhigh.store.postgres.store import PostgresStore  # noqa: PLC0415

    store, metrics = PostgresStore(url, asked.keys), Metrics()
    admin = AdminStore(url, store)
    membership = Membership(
        Leases(url, seconds=LEASE), store.writer, peer_address, lambda: store.epoch
    )
    followed = FollowedTables(store, admin.all_opened)
    others = OtherTables(membership, followed)
    host = Host(
        store, admin, metrics,
        clock=clock.ROOM, bots_think=asked.bots_think, note=_note, others=others,
    )  # fmt: skip
    membership.join()
    workers = Workers(url, Path(asked.keys) / f"history-{port}.books")
    services = _services(asked, host, Health(None, store, metrics), workers)
    services.membership = membership
    services.staff.changes.all_keep_rule = lambda: membership.is_newest
    peers = services.peers = Peers(
        secret=store.room.secret,
        own=peer_address,
        handover=Handover(asked.keys, *host_and_port(peer_address)),
        holder=membership.address_of,
        is_known=membership.is_known,
        is_live=lambda name: name in host.tables,
    )
    host.is_stale = lambda: membership.is_stale

    def on_moved(name: str) -> None:
        if membership.is_known(name):
            peers.cut(name)
            followed.damaged.pop(name, None)  # the process that has it now may read it
        else:
            peers.forget(name)
            followed.forget(name)

    membership.on_moved = on_moved
    membership.on_looked = lambda is_lost: host.notices.warn_of_lost_database(
        is_lost=is_lost or store.missing() is not None
    )
    metrics.watch_processes(
        membership.held, lambda: len(membership.members), lambda: membership.lag
    )
    return services


def _services(asked: ServeOptions, host: Host, health: Health, workers: Workers) -> Services:
    host.metrics.watch(host.sockets.count, lambda: len(host.tables))
    admin = host.admin
    accounts = Accounts(admin.db, host.has_wallet, admin.rows)
    assert admin.staff is not None, "a server has a log"
    host.room.guard = admin.staff.guard
    host.frozen_among = accounts.frozen_among
    return Services(
        store=host.store,
        admin=admin,
        accounts=accounts,
        staff=StaffAccounts(admin.staff, admin.rows, accounts),
        host=host,
        workers=workers,
        metrics=host.metrics,
        health=health,
        clock=host.clock,
        limits=asked.limits,
        cookie=Cookie(secure=not asked.insecure),
        presets=read_presets(asked.fees) if asked.fees else BUILT_IN,
        room_name=asked.room_name,
    )


def _note(table: str, error: Exception) -> None:
    _log.error("a table could not continue", table=table, error=str(error))
