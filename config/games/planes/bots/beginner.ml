(* Flies straight on as long as there is a way out, and shoots whenever it can. *)
let size = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 14

(* Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none. *)
let parts d = [ (d / 9) - 1; (d / 3 mod 3) - 1; (d mod 3) - 1 ]

(* They touch, and lie on one face of the cube of 27. *)
let may_turn a b =
  let p = parts a and q = parts b in
  b <> 13
  && List.for_all2 (fun i j -> abs (i - j) < 2) p q
  && List.exists2 (fun i j -> i = j && i <> 0) p q

let forwards = List.init 27 (fun it -> it)

(* The first turn after which a plane can fly so many rounds, this one counted. *)
let rec way_out at heading order rounds =
  if rounds = 0 then Some heading
  else
    let leads_out d =
      let at = List.map2 ( + ) at (parts d) in
      List.for_all (fun it -> it >= 0 && it < size) at
      && may_turn heading d
      && way_out at d order (rounds - 1) <> None in
    List.find_opt leads_out (heading :: order)

let letters d =
  let letter i sign = if sign = 0 then "" else String.make 1 "NSWEDU".[(2 * i) + ((sign + 1) / 2)] in
  String.concat "" (List.mapi letter (parts d))

let () =
  try
    while true do
      if input_line stdin = "NEW TURN" then
        for no = 0 to 3 do (* own planes first, then the enemy's *)
          match String.split_on_char ' ' (input_line stdin) with
          | [ alive; x; y; z; name; cooldown ] when no < 2 ->
            let heading = List.find (fun it -> letters it = name) forwards in
            (* The second plane tries turns the other way round, so that they part. *)
            let order = if no = 0 then forwards else List.rev forwards in
            let at = List.map int_of_string [ x; y; z ] in
            let turn = if alive = "alive" then way_out at heading order 4 else None in
            let turn = match turn with Some it -> it | None -> heading in
            Printf.printf "%s 1 %d\n%!" (letters turn) (1 - int_of_string cooldown)
          | _ -> ()
        done
    done
  with End_of_file -> ()
