"""How often each route answered, and with what, in metrics.prom."""

from losos_tools import token, until


def test_answers_are_counted_by_route_and_status(make_edge):
    edge = make_edge(tenants=["mattbox"], reconcile_interval="1s")
    assert edge.register("mattbox").status == 200
    for _ in range(3):
        assert edge.heartbeat("mattbox").status == 204
    stranger = {"appliance_id": "mattbox", "token": token("zoe")}
    assert edge.post("/heartbeat", stranger).status == 401
    assert edge.post("/nowhere", stranger).status == 404

    def counted():
        return [line.split("{")[1] for line in edge.metrics_file.read_text().splitlines()
                if line.startswith("losos_registrar_requests_total") and "health" not in line]
    wanted = ['route="/heartbeat",code="204"} 3', 'route="/heartbeat",code="401"} 1',
              'route="/register",code="200"} 1']
    until(lambda: counted() == wanted, lambda: f"the counts; they are {counted()}")
