(* Walks: one cell a step, on a shortest way to the goal as far as it can see. *)
let numbers () =
  let words = try String.split_on_char ' ' (String.trim (input_line stdin)) with End_of_file -> [] in
  Array.of_list (List.map int_of_string (List.filter (fun it -> it <> "") words))

let around (c, r) = [ (c, r + 1); (c + 1, r); (c - 1, r); (c, r - 1) ]
let clamp it = max (-1) (min 1 it)

let () =
  ignore (numbers ()); ignore (numbers ()); (* thinking time, step limit *)
  let size = numbers () in
  let w, l = (size.(0), size.(1)) in
  ignore (numbers ()); (* vision *)
  print_string "0\n"; flush stdout;
  while Array.length (numbers ()) > 0 do (* the number of the step; nothing when the judge has gone *)
    ignore (numbers ()); (* thinking time left *)
    let me = numbers () in
    let other = numbers () in
    let x, y = (me.(0), me.(1)) in
    let cell = Array.make l [||] in
    for r = 0 to l - 1 do cell.(r) <- numbers () done;
    if other.(1) >= 0 && other.(1) < l then cell.(other.(1)).(other.(0)) <- 1; (* around the opponent *)
    (* far: how many cells it is to the goal. *)
    let far = Array.make_matrix (l + 1) w 9999 in
    let queue = Queue.create () in
    for c = 0 to w - 1 do far.(l).(c) <- 0; Queue.add (c, l) queue done;
    while not (Queue.is_empty queue) do
      let c, r = Queue.pop queue in
      let visit (to_c, to_r) =
        let inside = to_c >= 0 && to_c < w && to_r >= 0 && to_r < l in
        if inside && cell.(to_r).(to_c) <> 1 && far.(to_r).(to_c) = 9999 then begin
          far.(to_r).(to_c) <- far.(r).(c) + 1;
          Queue.add (to_c, to_r) queue
        end in
      List.iter visit (around (c, r))
    done;
    let better (c, r) = c >= 0 && c < w && r >= 0 && far.(r).(c) < far.(y).(x) in
    let gx, gy =
      if y < 0 then (x, y + 1)
      else match List.find_opt better (around (x, y)) with Some at -> at | None -> (x, y) in
    Printf.printf "%d %d\n%!" (clamp (gx - x - me.(2))) (clamp (gy - y - me.(3)))
  done
